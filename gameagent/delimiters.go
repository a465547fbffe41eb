package gameagent

// A form is a way to write the pairs of players, by the byte after the key.
type form byte

const (
	native form = afterKey // key 02 value 03
	legacy form = slash    // \key\value
)

// Delimiters of players and of the two forms.
const (
	startOfList = 1
	afterKey    = 2
	afterValue  = 3
	endOfList   = 4
	slash       = '\\'
)

// Keys that end a legacy answer, and keys that start it: its first packet contains one.
const (
	finalKey    = "final"
	queryIDKey  = "queryid"
	gameNameKey = "gamename"
	hostNameKey = "hostname"
)

// legacyEnd ends answers and lists.
const legacyEnd = `\` + finalKey + `\`

// Texts before the challenge. The engine skips 15 bytes without reading them.
const (
	greetingStart = `\basic\`
	secureKey     = `\secure\`
)
