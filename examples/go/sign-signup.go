// Signs a sign-up. SIGNUP_SECRET is the organization's secret, ff_ss_…
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"os"
	"time"
)

func signSignup(secret, clickID, email string, expiresIn time.Duration) string {
	expires := time.Now().Add(expiresIn).Unix()
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s.%s", expires, clickID, email)
	return fmt.Sprintf("%d.%x", expires, mac.Sum(nil))
}

func main() {
	fmt.Println(signSignup(os.Getenv("SIGNUP_SECRET"), os.Args[1], os.Args[2], time.Hour))
}
