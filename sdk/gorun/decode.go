package gorun

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// decode reads an event. Go test prints them flat and in one shape, which is read here,
// several times as fast as by reflection; what is of another shape is left to encoding/json. Strings
// that are as in the event before share its memory.
func (e *event) decode(line []byte) bool {
	before := *e
	*e = event{}
	if e.flat(line, &before) {
		return e.Action != ""
	}
	*e = event{}
	return json.Unmarshal(line, e) == nil && e.Action != ""
}

// flat reads an object of strings and numbers. It gives up at anything else.
func (e *event) flat(line []byte, before *event) bool {
	line = bytes.TrimRight(line, " \t\r\n")
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	rest := line[1 : len(line)-1]
	for len(rest) > 0 {
		key, after, ok := literal(rest)
		if !ok || len(after) == 0 || after[0] != ':' {
			return false
		}
		rest = after[1:]
		var value []byte
		if len(rest) > 0 && rest[0] == '"' {
			if value, rest, ok = literal(rest); !ok {
				return false
			}
			if !e.set(key, value, before) {
				return false
			}
		} else {
			end := bytes.IndexByte(rest, ',')
			if end < 0 {
				end = len(rest)
			}
			n, err := strconv.ParseFloat(string(rest[:end]), 64)
			if err != nil || string(key) != "Elapsed" {
				return false
			}
			e.Elapsed, rest = n, rest[end:]
		}
		if len(rest) == 0 {
			return true
		}
		if rest[0] != ',' || len(rest) == 1 {
			return false
		}
		rest = rest[1:]
	}
	return true
}

// literal cuts a string with its quotes off; what is between them is as written.
func literal(text []byte) (inner, rest []byte, ok bool) {
	if len(text) < 2 || text[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i < len(text); {
		end := bytes.IndexByte(text[i:], '"')
		if end < 0 {
			break
		}
		escape := bytes.IndexByte(text[i:i+end], '\\')
		if escape < 0 {
			return text[1 : i+end], text[i+end+1:], true
		}
		i += escape + 2
	}
	return nil, nil, false
}

// set sets a field to a literal.
func (e *event) set(key, value []byte, before *event) bool {
	var to *string
	var was string
	switch string(key) {
	case "Action":
		to, was = &e.Action, before.Action
	case "Package":
		to, was = &e.Package, before.Package
	case "Test":
		to, was = &e.Test, before.Test
	case "Output":
		to, was = &e.Output, before.Output
	case "ImportPath":
		to, was = &e.ImportPath, before.ImportPath
	case "FailedBuild":
		to, was = &e.FailedBuild, before.FailedBuild
	case "Time":
		return true
	default:
		return false
	}
	if string(value) == was && bytes.IndexByte(value, '\\') < 0 {
		*to = was
		return true
	}
	return unquote(value, to)
}

// unquote undoes the escapes of a literal, the common ones by itself.
func unquote(value []byte, to *string) bool {
	i := bytes.IndexByte(value, '\\')
	if i < 0 {
		*to = string(value)
		return true
	}
	out := make([]byte, 0, len(value))
	rest := value
	for {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			*to = string(append(out, rest...))
			return true
		}
		out = append(out, rest[:i]...)
		switch rest[i+1] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case '"', '\\', '/':
			out = append(out, rest[i+1])
		case 'u':
			c, err := strconv.ParseUint(string(rest[min(i+2, len(rest)):min(i+6, len(rest))]), 16, 16)
			if err != nil || i+6 > len(rest) || c >= 0x80 {
				return json.Unmarshal(append(append([]byte{'"'}, value...), '"'), to) == nil
			}
			out = append(out, byte(c))
		default:
			return json.Unmarshal(append(append([]byte{'"'}, value...), '"'), to) == nil
		}
		if rest[i+1] == 'u' {
			rest = rest[i+6:]
		} else {
			rest = rest[i+2:]
		}
	}
}
