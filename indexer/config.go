package indexer

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/zeebo/xxh3"
)

// ConfigFile is the name of the optional configuration file in the root of a project.
const ConfigFile = "sett.toml"

// Config is what [ConfigFile] says.
type Config struct {
	Index struct {
		// Include names files and folders, by patterns as in .gitignore, that are indexed
		// although a rule or a convention skips them. To reach into a skipped folder a
		// pattern must spell the way: "vendor/acme/**".
		Include []string `toml:"include"`
		// Exclude names files and folders that are never indexed.
		Exclude []string `toml:"exclude"`
		// Vendored says that folders of copied dependencies are indexed.
		Vendored bool `toml:"vendored"`
		// Generated says that generated files are indexed.
		Generated bool `toml:"generated"`
		// MaxFileSize is the size in bytes over which a file is skipped; 0 stands for 1 MiB
		// for JavaScript and 16 MiB otherwise. In the file it may have a unit: "2MiB".
		MaxFileSize ByteSize `toml:"max_file_size"`
	} `toml:"index"`
	Deadcode struct {
		// Entry lists patterns of handles that something outside the graph calls.
		Entry []string `toml:"entry"`
	} `toml:"deadcode"`

	hash uint64 // of the text
}

// DefaultConfig is what holds without a configuration file.
func DefaultConfig() *Config {
	c := &Config{}
	c.Index.Generated = true
	return c
}

// A ConfigError is a mistake in the configuration file.
type ConfigError struct {
	Line int // 1-based; 0 when unknown
	Text string
}

func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return ConfigFile + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", ConfigFile, e.Line, e.Text)
}

// ParseConfig reads the text of a configuration file; errors are of type [ConfigError].
func ParseConfig(text []byte) (*Config, error) {
	c := DefaultConfig()
	c.hash = xxh3.Hash(text)
	md, err := toml.Decode(string(text), c)
	var perr toml.ParseError
	if errors.As(err, &perr) {
		msg := perr.Message
		if msg == "" {
			msg = strings.TrimPrefix(perr.Error(), "toml: ")
		}
		return nil, &ConfigError{perr.Position.Line, msg}
	}
	if err != nil {
		text := strings.TrimPrefix(err.Error(), "toml: ")
		line := 0
		if m := lineForm.FindStringSubmatch(text); m != nil { // some errors have it in their text only
			line, _ = strconv.Atoi(m[1])
			text = m[2] + ": " + text[len(m[0]):]
		}
		return nil, &ConfigError{line, text}
	}
	for _, key := range md.Undecoded() {
		return nil, &ConfigError{lineOf(string(text), key), "unknown key " + key.String()}
	}
	if err := c.checkPatterns(string(text)); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Config) checkPatterns(text string) error {
	check := func(key string, patterns []string) error {
		for _, p := range patterns {
			if _, ok := parsePattern(p); !ok || strings.Contains(p, "\n") {
				return &ConfigError{lineOf(text, toml.Key{"index", key}), fmt.Sprintf("%q is no pattern", p)}
			}
		}
		return nil
	}
	if err := check("include", c.Index.Include); err != nil {
		return err
	}
	return check("exclude", c.Index.Exclude)
}

var lineForm = regexp.MustCompile(`^line ([0-9]+) \(last key "([^"]*)"\): `)

// lineOf finds the line that sets a key, or opens its table: the decoder does not tell.
func lineOf(text string, key toml.Key) int {
	table := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(strings.SplitN(line, "#", 2)[0], "[] \t")
			if table == key.String() {
				return i + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		name = strings.Trim(strings.TrimSpace(name), `"'`)
		if table != "" {
			name = table + "." + name
		}
		if name == key.String() {
			return i + 1
		}
	}
	return 0
}

// A ByteSize is a number of bytes, in the file a number or text with a unit.
type ByteSize int64

var sizeForm = regexp.MustCompile(`^([0-9]+)\s*([kKmM]?)(i?[bB])?$`)

// UnmarshalTOML implements [toml.Unmarshaler].
func (b *ByteSize) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case int64:
		if v > 0 {
			*b = ByteSize(v)
			return nil
		}
	case string:
		if m := sizeForm.FindStringSubmatch(v); m != nil {
			n, err := strconv.ParseInt(m[1], 10, 32)
			if err == nil && n > 0 {
				*b = ByteSize(n << map[string]uint{"": 0, "k": 10, "m": 20}[strings.ToLower(m[2])])
				return nil
			}
		}
	}
	return errors.New(`a size is a number of bytes above zero, or text like "512KiB" or "2MiB"`)
}
