package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// An Answer is the whole answer to a [ListRequest] in wire form: a [Head] and an encrypted
// [List].
//
//wire:message
type Answer struct {
	// Secret is the secret key of the game that requests the list, and Challenge is
	// the challenge in the request. They are not part of the answer, but the cipher
	// needs them; see [NewCipher].
	Secret    string
	Challenge Challenge

	Head Head
	List List
}

// decode reads an answer until the end of its list. The argument secret is the
// secret key of the game that sent the request.
func (m *Answer) decode(r *wire.Reader, o Options, secret string, request ListRequest) {
	m.Secret, m.Challenge = secret, request.Challenge
	o.NoList = request.Options&OptionNoList != 0
	m.Head.read(r)
	if r.Failed() {
		return
	}
	if m.Secret == "" {
		r.Refuse("secret", r.Offset(), noSecret)
		return
	}
	c := m.cipher()
	plain := make([]byte, r.Len())
	c.Decrypt(plain, r.Peek())
	r.Substitute(plain)
	m.List.read(r, o)
	r.End()
}

// noSecret is the reason for refusing to decrypt or encrypt an answer.
const noSecret = "the secret key of the game is missing"

// cipher returns the cipher of the list. Secret is not empty.
func (m *Answer) cipher() Cipher {
	c, _ := NewCipher(m.Secret, m.Challenge, m.Head.Challenge)
	return c
}

// append fails if AppendBinary of Head or List does, or if Secret is empty.
func (m *Answer) append(w *wire.Writer) {
	if m.Secret == "" {
		w.Refuse("secret", noSecret)
		return
	}
	m.Head.append(w)
	start := len(w.Buffer())
	m.List.append(w)
	b := w.Buffer()[start:]
	c := m.cipher()
	c.Encrypt(b, b)
}
