package main

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/atomicfile"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// saveEvery is the time between a change and the next save. A crash loses such changes.
const saveEvery = 5 * time.Second

// A savedGames keeps the games of the HTTP lobby in a file, for a lobbyd without a
// cluster, because their hosts do not return to a lobby that has forgotten the game. Other
// games end with the connections of their hosts, or are announced again.
type savedGames struct {
	file string
	log  *slog.Logger

	mu    sync.Mutex
	games map[uint32]warzonegames.Entry
	timer *time.Timer // to save; nil if there is nothing to save
}

// A savedList is the content of the file. It is an object because games may have texts that
// are not UTF-8, which lobbywire.MarshalJSON writes only in objects.
type savedList struct{ Games []warzonegames.Entry }

// loadGames reads the file, which need not exist. If the file has another form, such as an
// earlier one, it is kept under another name.
func loadGames(file string, log *slog.Logger) (*savedGames, error) {
	s := &savedGames{file: file, log: log, games: make(map[uint32]warzonegames.Entry)}
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var saved savedList
	if err := lobbywire.UnmarshalJSON(b, &saved); err != nil {
		aside := file + ".unreadable"
		log.Warn("saved games cannot be read", "file", file, "kept", aside, "error", err)
		return s, os.Rename(file, aside)
	}
	for _, e := range saved.Games {
		s.games[e.ID] = e
	}
	return s, nil
}

// Put adds or updates a game.
func (s *savedGames) Put(e warzonegames.Entry) {
	if e.Source == warzonegames.SourceHTTP {
		s.change(func() { s.games[e.ID] = e })
	}
}

// Remove removes a game.
func (s *savedGames) Remove(id uint32) {
	s.change(func() { delete(s.games, id) })
}

func (s *savedGames) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	if s.timer == nil {
		s.timer = time.AfterFunc(saveEvery, s.save)
	}
}

// Watch calls put once with each saved game.
func (s *savedGames) Watch(put func(warzonegames.Entry), _ func(uint32)) (stop func()) {
	s.mu.Lock()
	all := s.all()
	s.mu.Unlock()
	for _, e := range all {
		put(e)
	}
	return s.save
}

// all returns the games that have not expired, and removes the others.
func (s *savedGames) all() []warzonegames.Entry {
	all := []warzonegames.Entry{}
	for id, e := range s.games {
		if e.Expires.Before(time.Now()) {
			delete(s.games, id)
			continue
		}
		all = append(all, e)
	}
	return all
}

// save writes the file.
func (s *savedGames) save() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	b, err := lobbywire.MarshalJSON(savedList{s.all()})
	if err == nil {
		const private = 0o600 // the lobby gives addresses only to players who join
		err = atomicfile.Write(s.file, b, private)
	}
	if err != nil {
		s.log.Warn("games are not saved", "file", s.file, "error", err)
	}
}
