package wzhttp_test

import (
	"encoding/json"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

var loopback6 = netip.IPv6Loopback()

func TestJoinAcceptsItsFormsOnly(t *testing.T) {
	joinRequestCodec.Table(t, []codectest.Case[wzhttp.JoinRequest]{
		{Name: "a player", In: `{"asSpec":false}`, Want: wzhttp.JoinRequest{}},
		{Name: "a text", In: `{"asSpec":true,"captcha":{"response":{"result":""},"token":"t"}}`,
			Want: wzhttp.JoinRequest{Spectate: true,
				Captcha: &wzhttp.CaptchaAnswer{Response: wzhttp.CaptchaResponse{Result: new("")}, Token: "t"}}},
		{Name: "a place", In: `{"asSpec":true,"captcha":{"response":{"x":7,"y":-8},"token":"t"}}`,
			Want: wzhttp.JoinRequest{Spectate: true,
				Captcha: &wzhttp.CaptchaAnswer{Response: wzhttp.CaptchaResponse{X: new(int64(7)), Y: new(int64(-8))},
					Token: "t"}}},
		{Name: "another response", In: `{"asSpec":true,"captcha":{"response":{"z":1},"token":"t"}}`,
			Want: wzhttp.JoinRequest{Spectate: true,
				Captcha: &wzhttp.CaptchaAnswer{Response: wzhttp.CaptchaResponse{Extra: extra("z", "1")}, Token: "t"}}},
		{Name: "no token", In: `{"asSpec":true,"captcha":{"response":{}}}`,
			Err: lobbywire.ErrInvalid, Field: "captcha.token", Offset: 39},
		{Name: "a fraction", In: `{"asSpec":true,"captcha":{"response":{"x":7.5},"token":"t"}}`,
			Err: lobbywire.ErrInvalid, Field: "captcha.response.x", Offset: 42},
		{Name: "nothing", In: `{}`, Err: lobbywire.ErrInvalid, Field: "asSpec", Offset: 1},
	})
	joinReplyCodec.Table(t, []codectest.Case[wzhttp.JoinReply]{
		{Name: "none", In: `{"connections":[],"joinToken":""}`,
			Want: wzhttp.JoinReply{Connections: []wzhttp.Address{}}},
		{Name: "a name", In: `{"connections":[{"type":"tcp","host":"host.example","port":1}],"joinToken":"j"}`,
			Want: wzhttp.JoinReply{Connections: []wzhttp.Address{{Type: wzhttp.TCP, Host: "host.example", Port: 1}},
				JoinToken: "j"}},
		{Name: "an unknown type", In: `{"connections":[{"type":"udp","host":"host.example","port":1}],"joinToken":"j"}`,
			Want: wzhttp.JoinReply{Connections: []wzhttp.Address{{Type: "udp", Host: "host.example", Port: 1}},
				JoinToken: "j"},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "one bad entry", In: `{"connections":[{"type":"tcp","host":"a","port":1},{"type":"tcp","host":"",` +
			`"port":1}],"joinToken":"j"}`,
			Err: lobbywire.ErrInvalid, Field: "connections[1].host", Offset: 72},
		{Name: "no token", In: `{"connections":[]}`, Err: lobbywire.ErrInvalid, Field: "joinToken", Offset: 17},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no host", Value: wzhttp.JoinReply{Connections: []wzhttp.Address{{Type: wzhttp.TCP, Port: 1}}},
			Err: lobbywire.ErrInvalid, Field: "connections[0].host"},
		{Name: "a result that is not UTF-8",
			Value: wzhttp.JoinRequest{Captcha: &wzhttp.CaptchaAnswer{
				Response: wzhttp.CaptchaResponse{Result: new("\xff")}}},
			Err: lobbywire.ErrInvalid, Field: "captcha.response.result"},
	})
}

func TestErrorAcceptsItsFormsOnly(t *testing.T) {
	errorCodec.Table(t, []codectest.Case[wzhttp.Error]{
		{Name: "a code", In: `{"code":"GAME_NOT_FOUND"}`, Want: wzhttp.Error{Code: wzhttp.CodeGameNotFound}},
		{Name: "data", In: `{"code":"X","message":"y","data":[ 1]}`,
			Want: wzhttp.Error{Code: "X", Message: "y", Data: json.RawMessage("[ 1]")}},
		{Name: "no data", In: `{"code":"X","data":null}`, Want: wzhttp.Error{Code: "X", Data: json.RawMessage("null")}},
		{Name: "no code", In: `{"message":"y"}`, Err: lobbywire.ErrInvalid, Field: "code", Offset: 14},
		{Name: "a page", In: `<html>`, Err: lobbywire.ErrInvalid, Field: "", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "data that is no JSON", Value: wzhttp.Error{Data: json.RawMessage("{")},
			Err: lobbywire.ErrInvalid, Field: "data"},
		{Name: "an image that is not UTF-8",
			Value: wzhttp.Captcha{Data: wzhttp.CaptchaData{Tile: &wzhttp.Image{Data: "\xff"}}},
			Err:   lobbywire.ErrInvalid, Field: "data.tile.data"},
	})
}

func TestCaptchaAcceptsItsFormsOnly(t *testing.T) {
	captchaCodec.Table(t, []codectest.Case[wzhttp.Captcha]{
		{Name: "no images", In: `{"type":"x","token":"","data":{}}`, Want: wzhttp.Captcha{Type: "x"}},
		{Name: "half an image", In: `{"type":"captcha","token":"t","data":{"image":{"type":"png"}}}`,
			Err: lobbywire.ErrInvalid, Field: "data.image.data", Offset: 59},
		{Name: "a size that is a text", In: `{"type":"slide","token":"t","data":{"tile_width":"1"}}`,
			Err: lobbywire.ErrInvalid, Field: "data.tile_width", Offset: 49},
		{Name: "no token", In: `{"type":"slide","data":{}}`, Err: lobbywire.ErrInvalid, Field: "token", Offset: 25},
	})
	e, err := wzhttp.ParseError([]byte(`{"code":"CAPTCHA_REQUIRED","data":{"type":"captcha","token":"ct-1",` +
		`"data":{"image":{"type":"png","data":"AAAA"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := wzhttp.ParseCaptcha(e.Data)
	want := wzhttp.Captcha{Type: wzhttp.CaptchaText, Token: "ct-1",
		Data: wzhttp.CaptchaData{Image: &wzhttp.Image{Type: wzhttp.ImagePNG, Data: "AAAA"}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
