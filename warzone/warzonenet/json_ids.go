package warzonenet

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// jsonIDs are the ids by which hosts identify their games. An id is the number of
// the game in Games, which is public, and a keyed hash, so there is no table of
// ids.
type jsonIDs struct{ key [sha256.Size]byte }

func newJSONIDs() (ids jsonIDs) {
	rand.Read(ids.key[:]) // never fails
	return ids
}

// Sizes of an id before it is written in hexadecimal, in bytes.
const (
	idNumber = 4
	idHash   = 16
)

// id returns the id of a game.
func (ids *jsonIDs) id(e *Entry) string {
	number := binary.BigEndian.AppendUint32(nil, e.ID)
	hash := hmac.New(sha256.New, ids.key[:])
	hash.Write(number)
	// Another game may have had the same number.
	hash.Write(binary.BigEndian.AppendUint64(nil, uint64(e.Opened.UnixNano())))
	return hex.EncodeToString(hash.Sum(number)[:idNumber+idHash])
}

// is reports whether id is that of a game, in constant time. Games of other
// protocols have none.
func (ids *jsonIDs) is(id string, e *Entry) bool {
	return e.Source == SourceJSON && hmac.Equal([]byte(id), []byte(ids.id(e)))
}

// numberOf returns the number of the game in an id.
func numberOf(id string) (uint32, bool) {
	b, err := hex.DecodeString(id)
	if err != nil || len(b) != idNumber+idHash {
		return 0, false
	}
	return binary.BigEndian.Uint32(b), true
}
