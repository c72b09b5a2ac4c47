package handle

import (
	"sync"
	"testing"
)

type file struct{ name string }

func TestNumbersAreNeverReused(t *testing.T) {
	a := Add(&file{"a"})
	if a < First {
		t.Fatalf("Add = %d, below %d", a, First)
	}
	if f, ok := Take[*file](a); !ok || f.name != "a" {
		t.Fatalf("Take = %v, %v", f, ok)
	}
	if b := Add(&file{"b"}); b == a {
		t.Errorf("number %d was given out again", a)
	}
	if _, ok := Get[*file](a); ok {
		t.Errorf("number %d still means something", a)
	}
	if _, ok := Take[*file](a); ok {
		t.Errorf("number %d could be taken twice", a)
	}
}

func TestKindsAreKeptApart(t *testing.T) {
	a := Add(&file{"a"})
	if _, ok := Get[*sync.Mutex](a); ok {
		t.Error("a file was found as something else")
	}
	if _, ok := Take[*sync.Mutex](a); ok {
		t.Error("a file was taken as something else")
	}
	if _, ok := Get[*file](a); !ok {
		t.Error("the failed Take removed the file")
	}
	for _, id := range []int64{-1, 0, 1, 2, 1 << 62} {
		if _, ok := Get[*file](id); ok {
			t.Errorf("Get(%d) found something", id)
		}
	}
}

func TestManyTasks(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				f := &file{}
				id := Add(f)
				if got, ok := Take[*file](id); !ok || got != f {
					t.Errorf("Take(%d) = %v, %v", id, got, ok)
				}
			}
		})
	}
	wg.Wait()
}
