module github.com/lobbywire/lobbywire/examples

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/lobbywire/lobbywire v0.0.0
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
)

require github.com/inconshreveable/mousetrap v1.1.0 // indirect

replace github.com/lobbywire/lobbywire => ../
