package cluster

import (
	"testing"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// newOperator returns the options of a server that trusts an operator, and the credentials of a
// user of an account of this operator, as nsc writes them.
func newOperator(t *testing.T) (trusts *server.Options, creds string) {
	t.Helper()
	pair := func(create func() (nkeys.KeyPair, error)) (key nkeys.KeyPair, public string) {
		t.Helper()
		key, err := create()
		if err != nil {
			t.Fatal(err)
		}
		public, err = key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return key, public
	}
	sign := func(c jwt.Claims, by nkeys.KeyPair) string {
		t.Helper()
		text, err := c.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operatorKey, operatorID := pair(nkeys.CreateOperator)
	accountKey, accountID := pair(nkeys.CreateAccount)
	_, systemID := pair(nkeys.CreateAccount)
	userKey, userID := pair(nkeys.CreateUser)

	operator := jwt.NewOperatorClaims(operatorID)
	operator.SystemAccount = systemID
	account := jwt.NewAccountClaims(accountID)
	account.Limits.JetStreamLimits = jwt.JetStreamLimits{
		MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit,
	}
	accounts := new(server.MemAccResolver)
	for id, text := range map[string]string{
		accountID: sign(account, operatorKey),
		systemID:  sign(jwt.NewAccountClaims(systemID), operatorKey),
	} {
		if err := accounts.Store(id, text); err != nil {
			t.Fatal(err)
		}
	}
	sign(operator, operatorKey) // completes the claims
	trusts = &server.Options{
		TrustedOperators: []*jwt.OperatorClaims{operator}, SystemAccount: systemID, AccountResolver: accounts,
	}

	seed, err := userKey.Seed()
	if err != nil {
		t.Fatal(err)
	}
	b, err := jwt.FormatUserConfig(sign(jwt.NewUserClaims(userID), accountKey), seed)
	if err != nil {
		t.Fatal(err)
	}
	return trusts, string(b)
}
