package plutoeval

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// method is the call of a method of a built-in type.
func (m *machine) method(name string, on any, args []any) (any, *raised) {
	switch x := on.(type) {
	case string:
		return m.stringMethod(name, x, args), nil
	case *array:
		return arrayMethod(name, x, args), nil
	case *table:
		return tableMethod(name, x, args), nil
	case *buffer:
		switch name {
		case "len":
			return int64(len(x.xs)), nil
		case "push":
			x.xs = append(x.xs, args[0].(byte))
			return void{}, nil
		case "to_string":
			return string(x.xs), nil
		}
	case *task:
		if name == "get" {
			return x.v, x.err
		}
		return void{}, nil
	case *channel:
		return m.channelMethod(name, x, args)
	}
	panic(unknown("the method " + name))
}

const blanks = " \t\r\n"

func (m *machine) stringMethod(name, s string, args []any) any {
	arg := func() string { return args[0].(string) }
	switch name {
	case "len":
		return int64(len(s))
	case "is_empty":
		return len(s) == 0
	case "is_whitespace":
		return strings.Trim(s, blanks) == ""
	case "contains":
		return strings.Contains(s, arg())
	case "starts_with":
		return strings.HasPrefix(s, arg())
	case "ends_with":
		return strings.HasSuffix(s, arg())
	case "index_of":
		return int64(strings.Index(s, arg()))
	case "last_index_of":
		return int64(strings.LastIndex(s, arg()))
	case "count":
		if arg() == "" {
			return int64(0)
		}
		return int64(strings.Count(s, arg()))
	case "substring":
		start := clamp(args[0].(int64), len(s))
		return s[start : start+clamp(args[1].(int64), len(s)-start)]
	case "trim":
		return strings.Trim(s, blanks)
	case "trim_start":
		return strings.TrimLeft(s, blanks)
	case "trim_end":
		return strings.TrimRight(s, blanks)
	case "to_upper", "to_lower":
		b := []byte(s)
		for i, c := range b {
			if name == "to_upper" && c >= 'a' && c <= 'z' || name == "to_lower" && c >= 'A' && c <= 'Z' {
				b[i] = c ^ 0x20
			}
		}
		return string(b)
	case "replace":
		if arg() == "" {
			return s
		}
		return m.bounded(strings.ReplaceAll(s, arg(), args[1].(string)))
	case "split":
		a := &array{}
		for _, piece := range splitBytes(s, arg()) {
			a.xs = append(a.xs, piece)
		}
		return a
	case "char_at":
		return at(s, args[0])
	case "byte_at":
		return int64(s[inside("string byte_at", args[0], len(s))])
	case "repeat":
		n := max(args[0].(int64), 0)
		if len(s) > 0 && n > maxString {
			panic(unknown("a long string"))
		}
		return m.bounded(strings.Repeat(s, int(n)))
	case "to_int":
		if v, err := strconv.ParseInt(strings.Trim(s, blanks), 10, 64); err == nil {
			return v
		}
		return nil
	case "to_float":
		if strings.ContainsAny(s, "xXnN_") {
			panic(unknown("a float of another notation"))
		}
		if v, err := strconv.ParseFloat(strings.Trim(s, blanks), 64); err == nil || math.IsInf(v, 0) {
			return v
		}
		return nil
	case "to_bytes":
		return &buffer{[]byte(s)}
	}
	panic(unknown("the method " + name))
}

// splitBytes is strings.Split, but without a delimiter it cuts between bytes.
func splitBytes(s, delim string) []string {
	if delim != "" {
		return strings.Split(s, delim)
	}
	var out []string
	for i := range len(s) {
		out = append(out, s[i:i+1])
	}
	return out
}

func clamp(i int64, n int) int { return int(min(max(i, 0), int64(n))) }

func arrayMethod(name string, a *array, args []any) any {
	n := len(a.xs)
	find := func() int64 {
		return int64(slices.IndexFunc(a.xs, func(x any) bool { return equal(x, args[0]) }))
	}
	switch name {
	case "len":
		return int64(n)
	case "is_empty":
		return n == 0
	case "push":
		a.xs = append(a.xs, args[0])
	case "pop":
		if n == 0 {
			fail("pluto: pop from empty array")
		}
		x := a.xs[n-1]
		a.xs = a.xs[:n-1]
		return x
	case "first", "last":
		if n == 0 {
			fail("pluto: %s() on empty array", name)
		}
		if name == "first" {
			return a.xs[0]
		}
		return a.xs[n-1]
	case "clear":
		a.xs = nil
	case "reverse":
		slices.Reverse(a.xs)
	case "insert_at":
		i := args[0].(int64)
		if i < 0 || i > int64(n) {
			fail("pluto: array insert_at index out of bounds: index %d, length %d", i, n)
		}
		a.xs = slices.Insert(a.xs, int(i), args[1])
	case "remove_at":
		i := inside("array remove_at", args[0], n)
		x := a.xs[i]
		a.xs = slices.Delete(a.xs, i, i+1)
		return x
	case "slice":
		start := clamp(args[0].(int64), n)
		end := max(clamp(args[1].(int64), n), start)
		return &array{slices.Clone(a.xs[start:end])}
	case "contains":
		return find() >= 0
	case "index_of":
		return find()
	}
	return void{}
}

func tableMethod(name string, t *table, args []any) any {
	switch name {
	case "len":
		return int64(len(t.entries))
	case "contains":
		_, ok := t.find(args[0])
		return ok
	case "insert":
		if len(args) == 1 {
			args = append(args, nil)
		}
		t.insert(args[0], args[1])
	case "remove":
		delete(t.entries, keyText(args[0]))
	case "keys", "to_array":
		a := &array{}
		for _, e := range t.sorted() {
			a.xs = append(a.xs, e.key)
		}
		return a
	case "values":
		a := &array{}
		for _, e := range t.sorted() {
			a.xs = append(a.xs, e.val)
		}
		return a
	}
	return void{}
}

func (m *machine) channelMethod(name string, c *channel, args []any) (any, *raised) {
	closed := func() (any, *raised) { return nil, m.predeclared("ChannelClosed", "channel closed") }
	limit := c.capacity
	if m.tasks > 0 { // somebody will receive it
		limit = math.MaxInt
	}
	switch name {
	case "close":
		if m.tasks > 0 {
			panic(unknown("a task that closes"))
		}
		c.closed = true
		return void{}, nil
	case "send", "try_send":
		switch {
		case c.closed && m.tasks == 0:
			return closed()
		case len(c.queue) < limit:
			c.queue = append(c.queue, args[0])
			return void{}, nil
		case name == "send":
			panic(unknown("a send that waits"))
		}
		return nil, m.predeclared("ChannelFull", "channel full")
	}
	switch {
	case len(c.queue) > 0:
		v := c.queue[0]
		c.queue = c.queue[1:]
		return v, nil
	case c.closed:
		return closed()
	case name == "try_recv":
		return nil, m.predeclared("ChannelEmpty", "channel empty")
	}
	panic(unknown("a receive that waits"))
}
