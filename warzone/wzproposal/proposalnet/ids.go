package proposalnet

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// ids makes and checks the ids of games that hosts send. An id consists of the number of
// the game in Games, which is public, and a proof, so it needs no table.
type ids struct{ key [32]byte }

// newIDs returns ids with a key that is derived from a secret, or with a random one.
func newIDs(secret []byte) (i ids) {
	if secret == nil {
		rand.Read(i.key[:]) // cannot fail
		return i
	}
	h := hmac.New(sha256.New, secret)
	h.Write([]byte("ids of wzproposal"))
	return ids{[32]byte(h.Sum(nil))}
}

// Sizes of the parts of an id in bytes. An id is written in hexadecimal.
const (
	idNumber = 4
	idProof  = 16
)

// id returns the id of a game. Its proof depends on the time, because another game may have
// had the same number.
func (i *ids) id(e *warzonegames.Entry) string {
	number := binary.BigEndian.AppendUint32(nil, e.ID)
	h := hmac.New(sha256.New, i.key[:])
	h.Write(number)
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(e.Opened.UnixNano())))
	return hex.EncodeToString(h.Sum(number)[:idNumber+idProof])
}

// find returns the game with the id, which it checks in constant time.
func (i *ids) find(g *warzonegames.Games, id string) (e warzonegames.Entry, ok bool) {
	b, err := hex.DecodeString(id)
	if err != nil || len(b) != idNumber+idProof {
		return e, false
	}
	e, ok = g.FindID(binary.BigEndian.Uint32(b))
	return e, ok && hmac.Equal([]byte(id), []byte(i.id(&e)))
}
