module github.com/lobbywire/lobbywire/examples

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0 // tests in a browser
	github.com/chromedp/chromedp v0.23.0 // tests in a browser
	github.com/coreos/go-systemd/v22 v22.7.0 // lobbyd: sockets and connections that systemd keeps
	github.com/creack/pty v1.1.24 // tests on terminals
	github.com/expr-lang/expr v1.17.8 // gamequery: -filter
	github.com/gofrs/flock v0.13.1 // lobbyd: one process a data directory
	github.com/google/go-cmp v0.7.0 // tests
	github.com/gopacket/gopacket v1.7.7 // captures of tcpdump and Wireshark
	github.com/lobbywire/lobbywire v0.1.0
	github.com/pelletier/go-toml/v2 v2.4.3 // lobbyd, sidecar: settings
	github.com/prometheus/client_golang v1.25.0 // gamequery watch and http, lobbyd: metrics
	github.com/spf13/cobra v1.10.2 // gamequery, lobbyd: commands
	github.com/spf13/pflag v1.0.9 // gamequery, lobbyd: flags
	golang.org/x/crypto v0.58.0 // lobbyd: certificates by ACME
	golang.org/x/net v0.62.0 // host names by IDNA, batches of datagrams
	golang.org/x/sys v0.49.0 // what only some systems have
	golang.org/x/term v0.47.0 // gamequery, sidecar: terminals
	golang.org/x/text v0.43.0 // encodings of texts
)

require (
	github.com/antithesishq/antithesis-sdk-go v0.8.0-default-no-op // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/nkeys v0.4.16 // lobbyd: clusters
	github.com/nats-io/nuid v1.0.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // tests of files for Kubernetes and containers
	golang.org/x/time v0.16.0 // indirect
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // gamequery: columns of tables
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/nats-io/jwt/v2 v2.8.2 // lobbyd: clusters
	github.com/nats-io/nats-server/v2 v2.15.2 // lobbyd: clusters
	github.com/nats-io/nats.go v1.55.0 // lobbyd: clusters
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.72.0 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
