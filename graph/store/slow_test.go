//go:build slow

package store

import (
	"testing"
	"time"
)

func TestManyProcessesForLong(t *testing.T) { hammer(t, 2*time.Minute) }
