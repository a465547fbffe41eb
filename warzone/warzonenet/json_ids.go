package warzonenet

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// jsonIDs makes and checks the ids with which hosts identify their games. An id
// consists of the number of the game in Games, which is public, and a keyed hash,
// so it needs no table.
type jsonIDs struct{ key [sha256.Size]byte }

func newJSONIDs() (ids jsonIDs) {
	rand.Read(ids.key[:]) // cannot fail
	return ids
}

// Sizes of the parts of an id in bytes; it is written in hexadecimal.
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

// is reports whether id is the id of a game, in constant time. Games of other
// protocols have no id.
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
