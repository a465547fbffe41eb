package warzonegames

import "github.com/lobbywire/lobbywire/warzone/internal/gamelist"

// ForLobbies returns the games as only the lobbies of this module need them. It may change in
// any release.
func (g *Games) ForLobbies() gamelist.List[Entry] { return lobbies{g} }

// lobbies has the methods of a Games for lobbies, which gamelist.List documents.
type lobbies struct{ *Games }

func (g lobbies) Lock()   { g.lock() }
func (g lobbies) Unlock() { g.state.unlock() }

func (g lobbies) Watch(v gamelist.Viewer[Entry])   { g.state.watch(v) }
func (g lobbies) Unwatch(v gamelist.Viewer[Entry]) { g.state.unwatch(v) }
