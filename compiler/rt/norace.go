//go:build !race

package rt

const inRace = false
