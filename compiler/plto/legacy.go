package plto

// Versions 2 and 3 are those of the language's first implementation: a header of five
// integers (magic, version, the offsets of three sections), then the sections source, tree and
// derived data, each after its length. The source is text; the other two cannot be read
// without the types of the program that wrote them, and are not needed (see the package's
// comment).
const (
	oldest       = 2
	legacyHeader = 20
)

// steps bring a file to the next version, the first one from the oldest on.
var steps = [Version - oldest]func(data []byte) ([]byte, error){from2, from3}

// Migrate brings a file of an earlier version to this one, version by version, and says
// which it had. A file of this version is given back as it is, and not checked.
func Migrate(data []byte) (_ []byte, from int, err error) {
	version, err := header(data)
	if err != nil {
		return nil, 0, err
	}
	for _, step := range steps[version-oldest:] {
		if data, err = step(data); err != nil {
			return nil, int(version), err
		}
	}
	return data, int(version), nil
}

// from2 makes version 3 of version 2. Tree and derived data of version 3 have fields more in
// places that cannot be found, so they stay behind: nobody has analysed the file yet.
func from2(data []byte) ([]byte, error) {
	s, err := legacySections(data)
	if err != nil {
		return nil, err
	}
	return legacyFile(3, s[0], "", ""), nil
}

// from3 makes version 4 of version 3. The identities in the tree stay behind with it; the file
// has none until someone who parses the text gives it some.
func from3(data []byte) ([]byte, error) {
	s, err := legacySections(data)
	if err != nil {
		return nil, err
	}
	return (&File{Text: s[0]}).Encode()
}

// legacyFile writes a file of version 2 or 3.
func legacyFile(version uint32, source, tree, derived string) []byte {
	out := []byte(magic)
	for _, v := range [...]int{int(version), legacyHeader, legacyHeader + 4 + len(source), legacyHeader + 8 + len(source) + len(tree)} {
		out = le.AppendUint32(out, uint32(v))
	}
	for _, s := range [...]string{source, tree, derived} {
		out = append(le.AppendUint32(out, uint32(len(s))), s...)
	}
	return out
}

// legacySections are the source, the tree and the derived data of a file of version 2 or 3.
func legacySections(data []byte) (out [3]string, err error) {
	at := legacyHeader
	for i, name := range [...]string{"source", "tree", "derived"} {
		offset := le.Uint32(data[8+4*i:])
		if uint64(offset) != uint64(at) {
			return out, damaged(name, int(offset), "the section should begin at byte %d", at)
		}
		if at+4 > len(data) {
			return out, truncated(uint64(at)+4, len(data))
		}
		length := le.Uint32(data[at:])
		at += 4
		if end := uint64(at) + uint64(length); end > uint64(len(data)) {
			return out, truncated(end, len(data))
		}
		part := data[at : at+int(length)]
		if i > 0 {
			out[i] = string(part)
		} else if out[i], err = sourceText(part, at); err != nil {
			return out, err
		}
		at += len(part)
	}
	if at < len(data) {
		return out, whole(Damaged, "trailing bytes: the last section ends at byte %d, the file has %d", at, len(data))
	}
	return out, nil
}
