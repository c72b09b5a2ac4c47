package store

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/zeebo/xxh3"
)

// LoadStat returns what SaveStat saved last, or nil when there is nothing, or nothing
// undamaged. It is a cache: what it means is the indexer's matter.
func (s *Store) LoadStat() []byte {
	b, err := os.ReadFile(s.path("stat"))
	if err != nil || len(b) < 8 {
		return nil
	}
	body, sum := b[:len(b)-8], binary.LittleEndian.Uint64(b[len(b)-8:])
	if xxh3.HashSeed(body, Format) != sum {
		return nil
	}
	return body
}

// SaveStat replaces the cache. It needs no lock: of several writers one wins.
func (s *Store) SaveStat(data []byte) error {
	if err := s.create(); err != nil {
		return err
	}
	b := append(make([]byte, 0, len(data)+8), data...)
	b = binary.LittleEndian.AppendUint64(b, xxh3.HashSeed(data, Format))
	if err := writeFile(s.path("stat"), b, false); err != nil {
		return fmt.Errorf("saving the cache of file states: %w", err)
	}
	return nil
}
