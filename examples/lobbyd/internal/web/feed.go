package web

import (
	"bytes"
	"slices"
	"sync"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// How much of the past a feed keeps for those who were away. The last frame is
// kept however long it is.
const (
	maxFrames     = 256
	maxFrameBytes = 4 << 20
)

// A frame is a change as it goes to every viewer.
type frame struct {
	version uint64 // of the catalogue after it
	bytes   []byte
}

// A feed holds the last changes, and the state. Viewers read it each at their own
// pace, and hold up nobody.
type feed struct {
	mu      sync.Mutex
	frames  []frame
	first   uint64 // the number of frames[0], counted from the beginning
	size    int
	version uint64        // of the catalogue after the last frame
	known   uint64        // of the catalogue before the first frame
	state   []byte        // the event of how it is now
	grown   chan struct{} // closed when there is more
}

// add appends a frame and wakes all who wait.
func (f *feed) add(fr frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frames = append(f.frames, fr)
	f.size += len(fr.bytes)
	f.version = fr.version
	for len(f.frames) > maxFrames || f.size > maxFrameBytes && len(f.frames) > 1 {
		f.known = f.frames[0].version
		f.size -= len(f.frames[0].bytes)
		f.frames[0] = frame{}
		f.frames = f.frames[1:]
		f.first++
	}
	f.wakeLocked()
}

// restart forgets all frames: what follows is on a snapshot of this version.
func (f *feed) restart(version uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first += uint64(len(f.frames)) + 1 // one was missed by all who wait
	f.frames, f.size = nil, 0
	f.version, f.known = version, version
	f.wakeLocked()
}

func (f *feed) wakeLocked() {
	close(f.grown)
	f.grown = make(chan struct{})
}

// setState wakes all if the state is another.
func (f *feed) setState(state []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !bytes.Equal(state, f.state) {
		f.state = state
		f.wakeLocked()
	}
}

// join returns where to read on for one who knows a version: with the frames
// after it, or, resumed false, after a snapshot that is taken now.
func (f *feed) join(version uint64, knows bool) (next uint64, resumed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	end := f.first + uint64(len(f.frames))
	switch {
	case !knows || version < f.known:
		return end, false
	case version >= f.version: // what it has may be a moment ahead of us
		return end, true
	}
	return f.first, true
}

// read returns the frames from a number on and the state, and a channel to wait on
// for more; ok is false if the frames are no longer there.
func (f *feed) read(next uint64) (frames []frame, state []byte, grown <-chan struct{}, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if next < f.first {
		return nil, nil, nil, false
	}
	return slices.Clone(f.frames[next-f.first:]), f.state, f.grown, true
}

// changeFrame encodes a change.
func changeFrame(boot string, c *catalogue.Change) frame {
	change := struct {
		Put  []server `json:"put"`
		Gone []string `json:"gone"`
	}{make([]server, 0, len(c.Put)), c.Gone}
	for _, e := range c.Put {
		change.Put = append(change.Put, serverOf(e))
	}
	if change.Gone == nil {
		change.Gone = []string{}
	}
	return frame{c.Version, event("change", versionName(boot, c.Version), encode(change))}
}

// event returns the bytes of an event. JSON has no line ends of its own.
func event(name, id string, data []byte) []byte {
	return slices.Concat(eventHead(name, id), data, eventTail)
}

// eventHead is what stands before the data of an event, eventTail what does after.
func eventHead(name, id string) []byte {
	head := "event: " + name + "\n"
	if id != "" {
		head += "id: " + id + "\n"
	}
	return []byte(head + "data: ")
}

var eventTail = []byte("\n\n")
