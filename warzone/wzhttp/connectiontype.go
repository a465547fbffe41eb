package wzhttp

import (
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A ConnectionType is a way to connect to a host: a method, optionally followed
// by a colon and an address family.
type ConnectionType string

// The types. Few builds of the game support the method gns.
const (
	TCP  ConnectionType = "tcp"
	TCP4 ConnectionType = "tcp:ip4"
	TCP6 ConnectionType = "tcp:ip6"
	GNS  ConnectionType = "gns"
	GNS4 ConnectionType = "gns:ip4"
	GNS6 ConnectionType = "gns:ip6"
)

// The methods.
const (
	MethodTCP = "tcp"
	MethodGNS = "gns" // GameNetworkingSockets, over UDP
)

// Valid reports whether t is one of the six types.
func (t ConnectionType) Valid() bool { return slices.Contains(connectionTypes[:], t) }

// decodeConnectionTypes reads an array of types.
func decodeConnectionTypes(j *wirejson.Reader, o Options) []ConnectionType {
	all := make([]ConnectionType, 0, 2) // most hosts announce one for each address family
	for a := j.Array(); a.Next(); {
		all = append(all, decodeConnectionType(j, o))
	}
	return all
}

// appendConnectionTypes appends an array of types.
func appendConnectionTypes(w *wire.Writer, field string, all []ConnectionType) {
	appendArray(w, field, all, appendConnectionType)
}

// decodeConnectionType reads a type. It allocates only if the type is unknown.
func decodeConnectionType(j *wirejson.Reader, o Options) ConnectionType {
	t := connectionType(j.View())
	if o.Strict && !t.Valid() {
		j.Refuse("is not a known type")
	}
	return t
}

// connectionType returns p as a ConnectionType.
func connectionType(p []byte) ConnectionType {
	for _, t := range connectionTypes {
		if string(t) == string(p) {
			return t
		}
	}
	return ConnectionType(p)
}

// connectionTypes are the types that are valid.
var connectionTypes = [...]ConnectionType{TCP4, TCP6, TCP, GNS4, GNS6, GNS}

// appendConnectionType appends a type.
func appendConnectionType(w *wire.Writer, field string, t ConnectionType) {
	if !t.Valid() {
		w.Refuse(field, "is not a type of connections")
	}
	wirejson.AppendPlain(w, string(t))
}
