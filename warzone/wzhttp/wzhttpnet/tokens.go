package wzhttpnet

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// idDigits are the digits of game ids. People type ids, so digits that look like others are
// missing. An id has seven digits and begins with a letter, so it does not look like an IP
// address.
var idDigits = base32.NewEncoding("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

// gameIDOf returns the public id of a game.
func gameIDOf(id uint32) string {
	return idDigits.EncodeToString(binary.BigEndian.AppendUint32([]byte{0}, id))[1:]
}

// parseGameID is the inverse of gameIDOf, or 0 if no game can have the id. It also accepts
// lower-case letters.
func parseGameID(s string) uint32 {
	b, err := idDigits.DecodeString("A" + strings.ToUpper(s))
	if err != nil || len(s) != 7 || len(b) != 5 || b[0] != 0 {
		return 0
	}
	id := binary.BigEndian.Uint32(b[1:])
	if id > math.MaxInt32 {
		return 0
	}
	return id
}

// tokens makes and checks the tokens of a Lobby. They are derived from a key, so they need
// no table, and every node with the key can check them.
type tokens struct{ key []byte }

// newTokens returns tokens with a random key.
func newTokens() tokens {
	key := make([]byte, 32)
	rand.Read(key) // cannot fail
	return tokens{key}
}

// macSize is the size of a proof, in bytes.
const macSize = 16

// proof returns a keyed hash of the contents of a token.
func (t tokens) proof(purpose string, id uint32, session uint64, contents []byte) []byte {
	h := hmac.New(sha256.New, t.key)
	h.Write([]byte(purpose))
	h.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32([]byte{0}, id), session))
	h.Write(contents)
	return h.Sum(nil)[:macSize]
}

// token returns a token with these contents and their proof, as text.
func (t tokens) token(purpose string, id uint32, session uint64, contents []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(contents, t.proof(purpose, id, session, contents)...))
}

// openToken returns the contents of a token and their proof, which the caller
// must check.
func openToken(token string, size int) (contents, proof []byte, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(b) != size+macSize {
		return nil, nil, false
	}
	return b[:size], b[size:], true
}

// hostTokenSize is the size of the contents of a host token, in bytes.
const hostTokenSize = 8 + 8 // session, time

// hostToken returns the token by which a host proves that a game is its own.
func (t tokens) hostToken(id uint32, session uint64, now time.Time) string {
	contents := binary.BigEndian.AppendUint64(nil, session)
	contents = binary.BigEndian.AppendUint64(contents, uint64(now.Unix()))
	return t.token("host", id, session, contents)
}

// isHost reports whether a token is the host token of a game, with its session and the time
// when it was made.
func (t tokens) isHost(token string, id uint32) (session uint64, made time.Time, ok bool) {
	contents, proof, ok := openToken(token, hostTokenSize)
	if !ok {
		return 0, time.Time{}, false
	}
	session = binary.BigEndian.Uint64(contents)
	made = time.Unix(int64(binary.BigEndian.Uint64(contents[8:])), 0)
	return session, made, hmac.Equal(proof, t.proof("host", id, session, contents))
}

// lobbyToken returns the token that the lobby sends to the game port.
func (t tokens) lobbyToken(id uint32, session uint64) string {
	return t.token("lobby", id, session, nil)
}

// joinLife is the lifetime of a join token: enough for two connection attempts that time
// out, and for the answers of the host.
const joinLife = 2 * time.Minute

// joinTokenSize is the size of the contents of a join token, in bytes.
const joinTokenSize = 8 + 8 // end, nonce

// joinToken returns the token by which a player proves to a host that the lobby has sent
// it.
func (t tokens) joinToken(id uint32, session uint64, spectates bool, now time.Time) string {
	contents := binary.BigEndian.AppendUint64(nil, uint64(now.Add(joinLife).Unix()))
	var nonce [8]byte
	rand.Read(nonce[:]) // cannot fail
	return t.token(joinPurpose(spectates), id, session, append(contents, nonce[:]...))
}

// isJoin reports whether a token is a join token for a game and a role, and has
// not expired. The result has no Player.
func (t tokens) isJoin(
	token string, id uint32, session uint64, spectates bool, now time.Time,
) (j gamelist.UsedToken, ok bool) {
	contents, proof, ok := openToken(token, joinTokenSize)
	if !ok || !hmac.Equal(proof, t.proof(joinPurpose(spectates), id, session, contents)) {
		return j, false
	}
	j.Expires, j.Nonce = int64(binary.BigEndian.Uint64(contents)), [8]byte(contents[8:])
	return j, j.Expires > now.Unix()
}

func joinPurpose(spectates bool) string {
	if spectates {
		return "spectate"
	}
	return "join"
}

// newSession returns a random number other than 0, the value in games of other protocols.
func newSession() uint64 {
	var b [8]byte
	rand.Read(b[:]) // cannot fail
	return binary.BigEndian.Uint64(b[:]) | 1
}
