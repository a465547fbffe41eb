package gameagent

// Delimiters of players.
const (
	startOfList = 1
	afterKey    = 2
	afterValue  = 3
	endOfList   = 4
	slash       = '\\' // before keys and values from ClassicsPatch
)
