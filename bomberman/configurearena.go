package bomberman

// ConfigureArena starts a round; the leader of the lobby sends it. If it is valid
// and there are at least two players, the game starts; there is no other
// answer. An invalid one starts no game, so decoding refuses it.
//
// The specification contradicts itself on whether width and height include the
// border.
//
//wire:message Message command=gsConfigureArena
type ConfigureArena struct {
	ArenaWidth           int          `wire:"arenaWidth,range=minArena..maxArena,must=isOdd"`  // 7 to 21 fields, odd
	ArenaHeight          int          `wire:"arenaHeight,range=minArena..maxArena,must=isOdd"` // 7 to 21 fields, odd
	PlayTimeMinutes      int          `wire:"playTimeMinutes,range=2..10"`
	ArmorEffectSeconds   int          `wire:"armorEffectSeconds,range=5..10"`
	BombExplosionSeconds int          `wire:"bombExplosionSeconds,range=2..5"`
	MaxPlayers           int          `wire:"maxPlayers,range=2..MaxPlayers"`
	GameplayMode         GameplayMode `wire:"gameplayMode,must=valid"`
	Envelope
}
