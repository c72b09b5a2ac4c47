package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// PublishLayer lays a value over a generation and makes both current. The caller holds
// the lock. It is for small things that change often, the facts of a few files that were
// edited: a plain file, written and renamed, because one value needs no database. Older
// layers are swept at once, see [Store.Sweep].
func (s *Store) PublishLayer(ctx context.Context, base string, data []byte) (Ref, error) {
	if !isID(base) {
		return Ref{}, fmt.Errorf("no generation has the name %q", base)
	}
	ref := Ref{Base: base, Layer: layerID(base, data)}
	if err := os.MkdirAll(s.path("layer"), 0o777); err != nil {
		return Ref{}, fmt.Errorf("creating the folder of layers: %w", err)
	}
	if _, err := s.readLayer(ref); err != nil {
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return Ref{}, err
		}
		defer enc.Close()
		if err := ctx.Err(); err != nil {
			return Ref{}, err
		}
		if err := writeFile(s.path("layer", ref.Layer), enc.EncodeAll(data, nil), true); err != nil {
			return Ref{}, fmt.Errorf("writing a layer of the index: %w", err)
		}
	}
	if err := s.swap(ref); err != nil {
		return Ref{}, err
	}
	_ = s.sweep(s.path("layer"), ref.Layer) // left-overs do no harm
	return ref, nil
}

// layerID is the name of a layer, and its checksum.
func layerID(base string, data []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "sett layer %d\n%s\n", Format, base)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)[:idLen/2])
}

func (s *Store) readLayer(ref Ref) ([]byte, error) {
	b, err := os.ReadFile(s.path("layer", ref.Layer))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone
	}
	corrupt := func(err error) error {
		return &CorruptError{File: s.rel("layer", ref.Layer), What: "it is not what was written", Err: err}
	}
	if err != nil {
		return nil, corrupt(err)
	}
	dec, err := newDecoder()
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	data, err := dec.DecodeAll(b, []byte{})
	if err != nil {
		return nil, corrupt(err)
	}
	if layerID(ref.Base, data) != ref.Layer {
		return nil, corrupt(errors.New("checksum mismatch"))
	}
	return data, nil
}
