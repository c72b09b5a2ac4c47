package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"github.com/spf13/cobra"
)

// profile is what the hidden flags for measuring ask for.
type profile struct {
	cpu, mem, trace string
	stops           []func() error
}

func (p *profile) declare(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to `FILE`")
	flags.StringVar(&p.mem, "memprofile", "", "write a heap profile to `FILE`")
	flags.StringVar(&p.trace, "trace", "", "write an execution trace to `FILE`")
	for _, name := range []string{"cpuprofile", "memprofile", "trace"} {
		if f := flags.Lookup(name); f != nil {
			f.Hidden = true
		}
	}
}

// start begins what was asked for; stop ends it.
func (p *profile) start() error {
	if p.cpu != "" {
		f, err := os.Create(p.cpu)
		if err != nil {
			return fmt.Errorf("profiling: %w", err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("profiling: %w", err)
		}
		p.stops = append(p.stops, func() error { pprof.StopCPUProfile(); return f.Close() })
	}
	if p.trace != "" {
		f, err := os.Create(p.trace)
		if err != nil {
			return fmt.Errorf("tracing: %w", err)
		}
		if err := trace.Start(f); err != nil {
			return fmt.Errorf("tracing: %w", err)
		}
		p.stops = append(p.stops, func() error { trace.Stop(); return f.Close() })
	}
	if p.mem != "" {
		f, err := os.Create(p.mem)
		if err != nil {
			return fmt.Errorf("profiling: %w", err)
		}
		p.stops = append(p.stops, func() error {
			runtime.GC()
			return errors.Join(pprof.WriteHeapProfile(f), f.Close())
		})
	}
	return nil
}

func (p *profile) stop() error {
	var errs []error
	for _, stop := range p.stops {
		errs = append(errs, stop())
	}
	p.stops = nil
	return errors.Join(errs...)
}
