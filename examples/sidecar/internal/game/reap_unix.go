//go:build unix

package game

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// Process 1 of a container becomes the parent of processes whose parents have ended. They
// stay as zombies until it has waited for them.
const firstProcess = 1

// wait waits for the game and, in process 1, meanwhile for all other children.
func wait(cmd *exec.Cmd) error {
	if os.Getpid() != firstProcess {
		return cmd.Wait()
	}
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR) || err == nil && pid != cmd.Process.Pid:
			continue
		case err != nil:
			return err
		}
		_ = cmd.Wait() // releases what the command holds; its status was taken above
		return exitOf(status)
	}
}

// exitOf returns the Exit of a process that has ended.
func exitOf(status syscall.WaitStatus) error {
	switch {
	case status.Signaled():
		return Exit(signalled + int(status.Signal()))
	case status.ExitStatus() != 0:
		return Exit(status.ExitStatus())
	}
	return nil
}

// ReapOrphans waits, in process 1, for the children of others as they end. It is for a
// sidecar without a game, whose status it would take.
func ReapOrphans() {
	if os.Getpid() != firstProcess {
		return
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	go func() {
		for range ended {
			for {
				pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
				if err != nil || pid <= 0 {
					break
				}
			}
		}
	}()
}
