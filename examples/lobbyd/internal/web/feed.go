package web

import (
	"bytes"
	"slices"
	"sync"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// Limits on the past changes that a feed keeps for viewers that reconnect. It always
// keeps the last frame, whatever its size.
const (
	maxFrames     = 256
	maxFrameBytes = 4 << 20
)

// A frame is a change in the form that all viewers receive.
type frame struct {
	version uint64 // of the catalogue after the change
	bytes   []byte
}

// A feed holds recent changes and the state. Viewers read it at their own pace and
// block nobody.
type feed struct {
	mu      sync.Mutex
	frames  []frame
	first   uint64 // number of frames[0], counted from the start of the process
	size    int
	version uint64        // of the catalogue after the last frame
	known   uint64        // of the catalogue before the first frame
	state   []byte        // the current event state
	grown   chan struct{} // closed when there is more to read
}

// add appends a frame and wakes all waiting viewers.
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

// restart drops all frames. Later frames are relative to a snapshot with this
// version.
func (f *feed) restart(version uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first += uint64(len(f.frames)) + 1 // waiting viewers have missed a frame
	f.frames, f.size = nil, 0
	f.version, f.known = version, version
	f.wakeLocked()
}

func (f *feed) wakeLocked() {
	close(f.grown)
	f.grown = make(chan struct{})
}

// setState wakes all viewers if the state has changed.
func (f *feed) setState(state []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !bytes.Equal(state, f.state) {
		f.state = state
		f.wakeLocked()
	}
}

// join returns where to start for a viewer that has a version: with the frames after
// it or, if resumed is false, after a snapshot that is taken now.
func (f *feed) join(version uint64, knows bool) (next uint64, resumed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	end := f.first + uint64(len(f.frames))
	switch {
	case !knows || version < f.known:
		return end, false
	case version >= f.version: // the viewer may be slightly ahead
		return end, true
	}
	return f.first, true
}

// read returns the frames from a number on, the state, and a channel that is closed
// when there is more. ok is false if the frames have been dropped.
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

// event returns the bytes of an event. JSON contains no line ends.
func event(name, id string, data []byte) []byte {
	return slices.Concat(eventHead(name, id), data, eventTail)
}

// eventHead precedes the data of an event, and eventTail follows it.
func eventHead(name, id string) []byte {
	head := "event: " + name + "\n"
	if id != "" {
		head += "id: " + id + "\n"
	}
	return []byte(head + "data: ")
}

var eventTail = []byte("\n\n")
