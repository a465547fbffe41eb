package fdstore

import (
	"strconv"
	"strings"
)

// base is the base of IDs in names, so that they are short.
const base = 36

// again ends the name of a connection if another one has the same server and ID.
const again = "+"

// nameOf returns the name of the connection of an entry of a server's list: "server/id".
func nameOf(server string, id uint32) string {
	return server + "/" + strconv.FormatUint(uint64(id), base)
}

// ParseName parses the name of a kept connection. For names of other sockets, ok is false.
func ParseName(name string) (server string, id uint32, ok bool) {
	server, digits, ok := strings.Cut(strings.TrimRight(name, again), "/")
	n, err := strconv.ParseUint(digits, base, 32)
	return server, uint32(n), ok && err == nil
}
