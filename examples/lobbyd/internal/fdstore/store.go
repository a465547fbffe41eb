package fdstore

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

// most is the maximum number of connections that a Store keeps.
const most = 2000

// A Store keeps connections. A nil Store keeps none. Its methods may be called at any time
// and do not wait for systemd, except Freeze, and Hold after it.
type Store struct {
	notify *net.UnixConn
	max    int
	log    *slog.Logger

	mu      sync.Mutex
	held    map[net.Conn]*held
	names   map[string]bool
	slots   int       // of systemd that are taken
	todo    list.List // of *held, which systemd has to store or remove
	waiting list.List // of *held, which have no slot, oldest first
	failed  uint64
	frozen  bool
	idle    chan struct{} // not nil while Freeze waits; closed when nothing is to do
	wake    chan struct{}
}

// A held connection is kept by the Store, or waits for a slot.
type held struct {
	conn  net.Conn
	name  string
	phase phase
	place *list.Element // in todo or waiting
}

type phase uint8

const (
	isWaiting phase = iota // for a slot
	isToStore
	isStored
	isToRemove
)

// Open returns the Store of this process. It is nil if systemd keeps nothing for it.
func Open(log *slog.Logger) (*Store, error) {
	path, text := os.Getenv("NOTIFY_SOCKET"), os.Getenv("FDSTORE")
	if path == "" || text == "" {
		return nil, nil
	}
	allowed, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("FDSTORE: %w", err)
	}
	notify, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return nil, err
	}
	s := &Store{
		notify: notify,
		max:    min(allowed, most),
		log:    log,
		held:   make(map[net.Conn]*held),
		names:  make(map[string]bool),
		wake:   make(chan struct{}, 1),
	}
	return s, nil
}

// Run sends systemd the connections to keep, until ctx is done.
func (s *Store) Run(ctx context.Context) {
	if s == nil {
		return
	}
	defer s.notify.Close()
	unblock := context.AfterFunc(ctx, func() { s.notify.SetWriteDeadline(time.Unix(1, 0)) })
	defer unblock()
	for {
		for h, removes, ok := s.next(); ok && ctx.Err() == nil; h, removes, ok = s.next() {
			s.tell(h, removes)
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
	}
}

// Hold keeps a connection, which belongs to the entry of a server's list. A connection that is
// held already keeps its name. After Freeze, Hold waits for systemd, because the connection
// will be closed soon.
func (s *Store) Hold(server string, conn net.Conn, id uint32) {
	if s == nil {
		return
	}
	if h := s.hold(conn, nameOf(server, id)); h != nil {
		s.tell(h, false)
	}
}

// hold holds a connection. It returns it if systemd has to store it now.
func (s *Store) hold(conn net.Conn, name string) *held {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[conn] != nil {
		return nil
	}
	h := s.addLocked(conn, name)
	switch {
	case s.slots >= s.max:
		h.place = s.waiting.PushBack(h)
	case s.frozen:
		s.slots++
		h.phase = isStored
		return h
	default:
		s.storeLocked(h)
	}
	return nil
}

// Restore holds a connection that systemd has passed to this process.
func (s *Store) Restore(conn net.Conn, name string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.addLocked(conn, name)
	h.phase = isStored
	s.slots++
}

func (s *Store) addLocked(conn net.Conn, name string) *held {
	for s.names[name] {
		name += again
	}
	h := &held{conn: conn, name: name}
	s.names[name] = true
	s.held[conn] = h
	return h
}

func (s *Store) storeLocked(h *held) {
	s.slots++
	h.phase = isToStore
	s.queueLocked(h)
}

func (s *Store) queueLocked(h *held) {
	h.place = s.todo.PushBack(h)
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

// Release ends a connection that is held, before it is closed. After Freeze it does nothing.
func (s *Store) Release(conn net.Conn) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[conn]
	if h == nil || s.frozen {
		return
	}
	delete(s.held, conn)
	switch h.phase {
	case isWaiting:
		s.waiting.Remove(h.place)
		delete(s.names, h.name)
	case isToStore:
		s.todo.Remove(h.place)
		s.forgetLocked(h)
	case isStored:
		end(conn)
		h.phase = isToRemove
		s.queueLocked(h)
	}
}

// end ends both directions of a connection, because closing it sends no FIN while systemd
// has a copy.
func end(conn net.Conn) {
	if c, ok := conn.(*net.TCPConn); ok {
		c.CloseWrite()
		c.CloseRead()
	}
}

// forgetLocked frees the slot of h for another connection.
func (s *Store) forgetLocked(h *held) {
	delete(s.names, h.name)
	s.slots--
	first := s.waiting.Front()
	if first != nil && s.slots < s.max {
		s.waiting.Remove(first)
		s.storeLocked(first.Value.(*held))
	}
}

// next returns the next connection that systemd has to store or to remove. ok is false if
// there is none.
func (s *Store) next() (h *held, removes, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.todo.Front()
	if first == nil {
		if s.idle != nil {
			close(s.idle)
			s.idle = nil
		}
		return nil, false, false
	}
	h = first.Value.(*held)
	s.todo.Remove(first)
	removes = h.phase == isToRemove
	if !removes {
		h.phase = isStored // so that Release removes it afterwards
	}
	return h, removes, true
}

// tell makes systemd store or remove h.
func (s *Store) tell(h *held, removes bool) {
	var err error
	if removes {
		err = s.send("FDSTOREREMOVE=1\nFDNAME="+h.name, nil)
	} else {
		err = s.sendConn("FDSTORE=1\nFDNAME="+h.name, h.conn)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if removes {
		s.forgetLocked(h)
	}
	if err == nil || errors.Is(err, net.ErrClosed) { // it has ended meanwhile
		return
	}
	s.failed++
	if s.failed == 1 {
		s.log.Warn("systemd does not keep all connections of hosts; a restart loses them", "error", err)
	}
}

// Freeze waits until systemd has all connections, and keeps them from then on: the
// process stops, and Release would end connections that the next process can continue.
func (s *Store) Freeze(ctx context.Context) {
	if s == nil {
		return
	}
	s.mu.Lock()
	idle := make(chan struct{})
	s.idle = idle
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	select {
	case <-idle:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = true
}

// Stats describe a Store.
type Stats struct {
	Kept   int    // connections that systemd keeps
	Unkept int    // connections for which there is no room; a restart loses them
	Failed uint64 // messages that systemd has not received
}

// Stats returns a snapshot.
func (s *Store) Stats() Stats {
	if s == nil {
		return Stats{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Kept: s.slots - s.todo.Len(), Unkept: s.waiting.Len(), Failed: s.failed}
}
