package indexer

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.tag = uint64(st.Ctimespec.Nano()) ^ st.Ino<<40
	}
	return s
}
