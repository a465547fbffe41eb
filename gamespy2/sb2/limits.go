package sb2

import (
	"math"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Port is the TCP port of masters.
const Port = 28910

// Limits, in bytes unless stated otherwise.
const (
	// MaxMessage is the size of the longest message from a client, and of the
	// longest pushed message, with the length: the length has two bytes.
	MaxMessage = math.MaxUint16

	// MaxRequest is the default limit of [NextFrame]. It is ours: GameSpy's client
	// sends list requests of up to 1022 bytes.
	MaxRequest = 4096

	// MaxFilter is the length of the longest filter that GameSpy's client sends.
	// Longer filters are accepted.
	MaxFilter = 511

	// MaxFieldList is the length of the longest list of fields that GameSpy's
	// client sends. Longer ones are accepted.
	MaxFieldList = 256

	// MaxKeys is the number of keys in the longest list of keys: the count has one
	// byte. GameSpy's client requests at most 20.
	MaxKeys = math.MaxUint8

	// MaxPopular is the maximum number of popular values of a list: the index
	// 255 means that a text follows.
	MaxPopular = math.MaxUint8

	// MaxPart is the default limit for the size of a list's start and of each
	// server in a stream. It is ours.
	MaxPart = 1 << 16

	// MaxServers is the default limit for the number of servers of a [List]. It is
	// ours. A [MasterStream] has no such limit, because it keeps no servers.
	MaxServers = 1 << 16
)

// Options changes what the decoder accepts, and gives the facts that a message
// itself does not contain. The zero Options is the default of the functions with
// the same names.
type Options struct {
	// Strict refuses what GameSpy's programs do not send. The package
	// documentation lists the differences.
	Strict bool

	// NoList means that the [ListRequest] has [OptionNoList], so a [List] ends after
	// its port. Functions that get the request as an argument ignore NoList.
	NoList bool

	// Keys are those of a [PushServer]: of the last [PushKeys], or of the list.
	Keys []Key

	// MaxServers limits the number of servers of a [List]; 0 means [MaxServers].
	MaxServers int

	// MaxPart limits the size of a list's start and of each server in a stream;
	// 0 means [MaxPart].
	MaxPart int
}

func (o Options) maxServers() int { return wire.Limit(o.MaxServers, MaxServers) }

func (o Options) maxPart() int { return wire.Limit(o.MaxPart, MaxPart) }

// A KeyValue is a key of a server and its value.
type KeyValue = gamespy2.KeyValue
