package rt

// The programs of program_test.go, with the //line directives of generated code.

func init() {
	add := func(name string, f func() Error) {
		programs[name] = func() {
			Sources("main.pluto", "text.pluto", "util/text.pluto")
			Main(f)
		}
	}
	add("hello", func() Error {
		PrintString("hello")
		PrintInt(1)
		PrintFloat(1.5)
		PrintBool(true)
		PrintByte(255)
		Write("no newline")
		return nil
	})
	add("exit code", func() Error {
		PrintString("out")
		Exit(300)
		return nil
	})
	add("index", indexProgram)
	add("zero", zeroProgram)
	add("unset", unsetProgram)
	add("fault", faultProgram)
	add("uncaught", uncaughtProgram)
	add("raised by hand", func() Error { return &TimeoutError{Raised: At(0, 3), Millis: 5} })
	add("expectation", func() Error { ExpectInt(3, 1, 2); return nil })
	add("failure in a task", taskFailureProgram)
	add("unfinished task", func() Error {
		_, rx := Chan[int64](1)
		Go(nil, "waits", func() (Void, Error) { _, err := rx.Recv(); return Void{}, err })
		return nil
	})
	add("detached error", func() Error {
		t := Go(nil, "t", func() (int64, Error) { return PowInt(1, -1) })
		t.Detach()
		t.Get()
		return nil
	})
	add("read lines", func() Error {
		Write("> ")
		for range 5 {
			Write("[" + ReadLine() + "]")
		}
		return nil
	})
	add("deadlock", deadlockProgram)
	add("deadlock at the end of a task", deadlockAtEndProgram)
	add("deadlock in select", deadlockSelectProgram)
	add("get of a cancelled task", func() Error {
		_, rx := Chan[int64](1)
		t := Go(nil, "t", func() (int64, Error) { return rx.Recv() })
		t.Cancel()
		PrintInt(t.MustGet())
		return nil
	})
	add("frames", framesProgram)
	add("overflow", func() Error { PrintString("before"); PrintInt(overflow(1)); return nil })
	add("overflow in a task", func() Error {
		PrintString("before")
		Go(nil, "t", func() (int64, Error) { return overflow(1), nil }).Get()
		return nil
	})
	add("prints and computes", func() Error {
		PrintString("hello")
		for n := int64(0); ; n++ {
			n ^= 1
		}
	})
}

// raises is a function whose closure raises out of it, through inner, which has closures of
// its own.
func raises(inner func(func() int64) int64) (r int64, err Error) {
	fr := NewFrame()
	defer fr.Catch(&err)
	return inner(func() int64 { panic(fr.Raise(&TimeoutError{Millis: 7})) }), nil
}

func framesProgram() Error {
	var late func() int64
	inner := func(g func() int64) (r int64) {
		var err Error
		fr := NewFrame()
		defer func() {
			if err != nil {
				PrintString("inner caught what is not its own")
			}
		}()
		defer fr.Catch(&err)
		late = func() int64 { panic(fr.Raise(&TimeoutError{Millis: 8})) }
		return g()
	}
	if _, err := raises(inner); err != nil {
		PrintString("outer caught " + err.ErrorMessage())
	}
	late() // the function that it would leave has returned
	return nil
}

func indexProgram() Error {
	PrintString("before")
//line util/text.pluto:12
	NewArray[int64](1).At(5)
	return nil
}

func zeroProgram() Error {
	n := int64(0)
//line main.pluto:20
	PrintInt(1 / n)
	return nil
}

func unsetProgram() Error {
	var a *Array[int64]
//line main.pluto:30
	a.Push(1)
	return nil
}

func faultProgram() Error {
//line main.pluto:35
	panic(Fault("requires violation in half: n > 0"))
}

func uncaughtProgram() Error {
	tx, _ := Chan[int64](0)
	PrintString("before")
//line main.pluto:41
	tx.TrySend(1)
	return tx.TrySend(2)
}

func taskFailureProgram() Error {
	PrintString("started")
	t := Go(nil, "t", func() (int64, Error) {
//line main.pluto:52
		return NewMap[string, int64](0).At("k"), nil
	})
	t.Get()
	return nil
}

func deadlockProgram() Error {
	PrintString("before")
	_, rx := Chan[int64](1)
	tx, _ := Chan[int64](1)
	left := Go(nil, "left", func() (int64, Error) {
//line main.pluto:62
		return rx.Recv()
	})
	Go(nil, "right", func() (Void, Error) {
		tx.Send(1)
//line main.pluto:68
		return Void{}, tx.Send(2)
	})
//line main.pluto:74
	_, err := left.Get()
	return err
}

func deadlockAtEndProgram() Error {
	_, rx := Chan[int64](1)
	Go(nil, "t", func() (Void, Error) { SleepNs(20e6); return Void{}, nil })
//line main.pluto:81
	_, err := rx.Recv()
	return err
}

func deadlockSelectProgram() Error {
	_, rx := Chan[int64](1)
	_, rx2 := Chan[string](1)
	var v int64
	var s string
//line main.pluto:90
	_, err := Select(false, rx.Case(&v), rx2.Case(&s))
	return err
}

//line main.pluto:96
func overflow(n int64) int64 {
	return overflow(n+1) + n
}
