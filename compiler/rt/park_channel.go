//go:build race

package rt

// parker lets its task's goroutine wait for one wake, by means that the race detector sees.
type parker struct{ c chan struct{} }

func (p *parker) init() { p.c = make(chan struct{}, 1) }

func (p *parker) wait() { <-p.c }

func (p *parker) signal() {
	select {
	case p.c <- struct{}{}:
	default: // a task that will not wait again
	}
}
