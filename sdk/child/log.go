package child

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	logs     = 20        // that are kept
	logsSize = 512 << 20 // bytes that the kept logs have together, but for the newest
	fresh    = time.Minute
)

// LogFile makes an empty file for the log of a run: .sett/logs/<verb>-<time>-<pid>.log below
// root, or in the system's folder of temporary files when root cannot be written, or leads
// elsewhere by a link: a project that others wrote could name any folder. It is "" when
// there is no place for a log: a run goes on without one. Of logs that nobody wrote to for a
// minute as many stay as there is room for among the newest 20.
func LogFile(root, verb string) string {
	sett := filepath.Join(root, ".sett")
	if dir := filepath.Join(sett, "logs"); own(sett) && own(dir) && os.MkdirAll(dir, 0o755) == nil {
		ignore(sett)
		if path := reserve(dir, verb); path != "" {
			return path
		}
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("sett-logs-%d", os.Getuid()))
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return reserve(dir, verb)
}

// own says whether a folder is not there yet, or a folder and no link to one.
func own(dir string) bool {
	info, err := os.Lstat(dir)
	return err != nil || info.IsDir()
}

// ignore keeps the folder out of version control. A file that is there stays.
func ignore(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	_, _ = f.WriteString("*\n")
	_ = f.Close()
}

// reserve makes a log that nobody else has, and makes room for it.
func reserve(dir, verb string) string {
	now := time.Now().UTC().Format("20060102-150405.000")
	for i := range 100 {
		name := fmt.Sprintf("%s-%s-%d.log", verb, now, os.Getpid())
		if i > 0 {
			name = fmt.Sprintf("%s-%s-%d.%d.log", verb, now, os.Getpid(), i)
		}
		path := filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			_ = f.Close()
			sweep(dir, name)
			return path
		}
		if !os.IsExist(err) {
			return ""
		}
	}
	return ""
}

// made matches the names that [reserve] gives.
var made = regexp.MustCompile(`^[a-z]+-[0-9]{8}-[0-9]{6}\.[0-9]{3}-[0-9]+(\.[0-9]+)?\.log$`)

// sweep removes the oldest logs. Others may do so at the same time, and what is gone is gone.
func sweep(dir, newest string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var infos []os.FileInfo
	for _, e := range entries {
		if !made.MatchString(e.Name()) || e.Name() == newest {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b os.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(b.Name(), a.Name()))
	})
	size := int64(0)
	for i, info := range infos {
		if size += info.Size(); (i >= logs-1 || size > logsSize) && time.Since(info.ModTime()) > fresh {
			_ = os.Remove(filepath.Join(dir, info.Name()))
		}
	}
}
