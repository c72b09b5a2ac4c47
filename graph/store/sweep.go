package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// grace is how long what has just been replaced is kept for readers that know its name
// and have not opened it yet. They would find the new one; this saves them the way.
const grace = time.Minute

// Sweep removes what killed publishers left and what is no longer current, except the one
// generation and layer that were replaced last, within the last minute. The caller holds
// the lock. A reader that has a generation open keeps it; one that is about to open it
// opens what is current.
func (s *Store) Sweep() error {
	current, err := s.Current()
	if err != nil && !errors.Is(err, ErrNone) && !IsCorrupt(err) {
		return err
	}
	return errors.Join(
		s.sweep(s.path("gen"), current.Base),
		s.sweep(s.path("layer"), current.Layer),
		s.sweepTemp(),
	)
}

// sweep empties one folder but for what is to be kept.
func (s *Store) sweep(dir, keep string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sweeping the index folder: %w", err)
	}
	recent, latest := "", time.Now().Add(-grace)
	for _, e := range entries {
		if e.Name() == keep || !isID(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(latest) {
			recent, latest = e.Name(), info.ModTime()
		}
	}
	var errs []error
	for _, e := range entries {
		if e.Name() == keep || e.Name() == recent {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if e.IsDir() && isID(e.Name()) {
			err = s.discard(path)
		} else {
			err = os.RemoveAll(path)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("sweeping the index folder: %w", err))
		}
	}
	return errors.Join(errs...)
}

// sweepTemp removes half-written files from the folder itself. The file of statistics is
// written without the lock, so a fresh one may still be in use.
func (s *Store) sweepTemp() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("sweeping the index folder: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tmpPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > grace {
			_ = os.Remove(s.path(e.Name()))
		}
	}
	return nil
}
