package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/settgraph/sett/sdk"
)

// quick is how long a run may take before there is a bar: less would only flicker.
const quick = 300 * time.Millisecond

// progress shows how far an index run is: a bar on a terminal, a line per phase when
// it is not one and -v was given, otherwise nothing.
type progress struct {
	w       io.Writer
	bars    bool
	verbose bool

	mu    sync.Mutex // guards the rest
	start time.Time
	phase string
	since time.Time
	bar   *progressbar.ProgressBar
}

func newProgress(e *env) *progress {
	return &progress{w: e.stderr, bars: isTerminal(e.stderr), verbose: e.verbose, start: time.Now()}
}

// tell is what the SDK calls.
func (p *progress) tell(ev sdk.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ev.Phase != p.phase {
		p.end()
		p.phase, p.since = ev.Phase, time.Now()
		p.bar = nil
	}
	if p.bar == nil && p.bars && time.Since(p.start) > quick {
		p.bar = progressbar.NewOptions(ev.Total,
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(fmt.Sprintf("%-8s", ev.Phase)),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionClearOnFinish())
	}
	if p.bar != nil {
		if ev.Total > 0 && ev.Total != p.bar.GetMax() {
			p.bar.ChangeMax(ev.Total)
		}
		_ = p.bar.Set(ev.Done)
	}
}

// finish takes the bar away.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
	p.phase = ""
}

func (p *progress) end() {
	switch {
	case p.phase == "":
	case p.bar != nil:
		_ = p.bar.Clear()
		p.bar = nil
	case p.verbose && !p.bars:
		fmt.Fprintf(p.w, "%s %s\n", p.phase, short(time.Since(p.since)))
	}
}

// short prints a duration for people: three digits at most.
func short(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
