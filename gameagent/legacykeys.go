package gameagent

// Keys that end a legacy answer.
const (
	finalKey   = "final"
	queryIDKey = "queryid"
)

// legacyEnd ends answers and lists.
const legacyEnd = `\` + finalKey + `\`

// Texts before the challenge. The engine skips 15 bytes without reading them.
const (
	greetingStart = `\basic\`
	secureKey     = `\secure\`
)
