// Package handle numbers the open files and sockets of a Pluto program, which knows them by
// an int. Files and sockets share one space of numbers, as descriptors do, but a number is
// never given out twice, so that a use after close finds nothing instead of a stranger.
package handle

import "sync"

// First is the smallest number that [Add] gives out; the ones below stand for the standard
// streams, and nothing is stored under them.
const First = 3

// open is the table of the process: the numbers have to mean the same in every task.
var open = struct {
	sync.RWMutex
	next  int64
	items map[int64]any
}{next: First, items: map[int64]any{}}

// Add stores an item and returns its number.
func Add(item any) int64 {
	open.Lock()
	defer open.Unlock()
	id := open.next
	open.next++
	open.items[id] = item
	return id
}

// Get finds the item with a number, if there is one and it is a T.
func Get[T any](id int64) (T, bool) {
	open.RLock()
	defer open.RUnlock()
	item, ok := open.items[id].(T)
	return item, ok
}

// Take removes and returns the item with a number, if there is one and it is a T.
func Take[T any](id int64) (T, bool) {
	open.Lock()
	defer open.Unlock()
	item, ok := open.items[id].(T)
	if ok {
		delete(open.items, id)
	}
	return item, ok
}
