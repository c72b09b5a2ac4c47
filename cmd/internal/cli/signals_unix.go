//go:build unix

package cli

import (
	"os"
	"syscall"
)

// sentByHand are the signals that are passed on to a running program.
var sentByHand = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
