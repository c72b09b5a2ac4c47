package sys

import (
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/settgraph/sett/compiler/rt"
)

// levels are the names of the levels 0 to 3.
var levels = [...]string{"DEBUG", "INFO", "WARN", "ERROR"}

// logLevel is the level below which nothing is logged, less one, so that it starts as 1.
var logLevel atomic.Int64

// LogLevel is the level below which nothing is logged; it starts as 1, info.
func LogLevel() int64 { return logLevel.Load() + 1 }

// SetLogLevel sets it.
func SetLogLevel(level int64) { logLevel.Store(level - 1) }

// Log writes a line to stderr, "[LEVEL] milliseconds message", whatever the level set.
func Log(level, ms int64, message string) {
	LogFields(level, ms, message, rt.NewArray[string](), rt.NewArray[string]())
}

// LogFields is [Log] with " key=value" for each key; a value is quoted when it could be
// mistaken for something else.
func LogFields(level, ms int64, message string, keys, values *rt.Array[string]) {
	level = max(0, min(level, int64(len(levels)-1)))
	line := "[" + levels[level] + "] " + strconv.FormatInt(ms, 10) + " " + message
	for i, key := range keys.S {
		if i < len(values.S) {
			line += " " + key + "=" + quoted(values.S[i])
		}
	}
	rt.Warn(line)
}

func quoted(value string) string {
	if value == "" || strings.ContainsAny(value, " \t\r\n\"=") {
		return strconv.Quote(value)
	}
	return value
}
