//go:build race

package rt

// inRace turns off what the race detector does not survive: code on the scheduler's stack.
const inRace = true
