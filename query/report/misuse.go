package report

// A Misuse says that what was asked for makes no sense, or cannot be done on this machine as
// it is, in words that tell the asker the way on.
type Misuse struct {
	Param string // the option that is wrong, in lower case: target, output; "" when none is to blame
	Text  string // one sentence, without a full stop
	Err   error  // what is behind it, if anything
}

// Error returns one line without a full stop.
func (e *Misuse) Error() string {
	if e.Param == "" {
		return e.Text
	}
	return e.Param + ": " + e.Text
}

// Unwrap returns what is behind it.
func (e *Misuse) Unwrap() error { return e.Err }
