package wzhttp

import "encoding/json"

// A JoinRequest requests the addresses of a game. The lobby answers with a
// [JoinReply].
//
//wire:message object
type JoinRequest struct {
	Spectate    bool                       `wire:"asSpec"`           // join as a spectator
	Attestation *Attestation               `wire:"attest,omitzero"`  // proof of the joiner's key
	Captcha     *CaptchaAnswer             `wire:"captcha,omitzero"` // after an Error with CodeCaptchaRequired
	Extra       map[string]json.RawMessage // unknown members
}
