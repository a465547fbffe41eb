package gamespy1

// slash precedes each key and each value.
const slash = '\\'

// Keys that end an answer, and keys that start it: its first packet contains one.
const (
	finalKey    = "final"
	queryIDKey  = "queryid"
	gameNameKey = "gamename"
	hostNameKey = "hostname"
)

// endMark ends answers and lists.
const endMark = `\` + finalKey + `\`

// Texts before the challenge. Serious Sam skips 15 bytes without reading them.
const (
	greetingStart = `\basic\`
	secureKey     = `\secure\`
)
