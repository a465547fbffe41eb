package warzonegames

import "github.com/lobbywire/lobbywire/warzone/internal/gamelist"

// ForLobbies returns the interface of the games for the lobbies of this module. It may
// change in any release.
func (g *Games) ForLobbies() gamelist.List[Entry] { return lobbies{g} }

// lobbies implements gamelist.List, which documents its methods.
type lobbies struct{ *Games }

func (g lobbies) Lock()   { g.lock() }
func (g lobbies) Unlock() { g.state.unlock() }

func (g lobbies) Watch(v gamelist.Viewer[Entry])   { g.state.watch(v) }
func (g lobbies) Unwatch(v gamelist.Viewer[Entry]) { g.state.unwatch(v) }
