// Records an affiliate's commission, starting with the campaign, and lists all commissions.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

var (
	api    = strings.TrimSuffix(os.Getenv("FINDERSFEE_URL"), "/") + "/v1"
	client = http.Client{Timeout: 30 * time.Second}
)

// Error is an error from the service: Code is for programs, Message for people, RequestID for support.
type Error struct {
	Code      string            `json:"code"`
	Message   string            `json:"message"`
	RequestID string            `json:"request_id"`
	Details   map[string]string `json:"details"`
	Issues    []struct{ Path, Message string }
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s (%s)", e.Code, e.Message, e.RequestID)
	for _, issue := range e.Issues {
		text += fmt.Sprintf("\n  %s: %s", issue.Path, issue.Message)
	}
	return text
}

type answer[Data any] struct {
	Success    bool
	Data       Data
	Error      *Error
	Pagination struct {
		NextCursor *string `json:"next_cursor"`
	}
}

// The fields that this program uses; responses have more, and may gain others.
type campaign struct{ ID string }
type affiliate struct {
	ID, Email string
	Links     []struct{ URL string }
}
type referral struct{ ID string }
type commission struct {
	PaymentID string      `json:"processor_payment_id"`
	Amount    json.Number `json:"commission_amount"` // money stays exact
	Currency  string
}

func call[Data any](method, path string, body any, idempotencyKey string) (*answer[Data], error) {
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequest(method, api+path, &content)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FINDERSFEE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var result answer[Data]
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return nil, fmt.Errorf("%s did not return JSON; check FINDERSFEE_URL: %w", api, err)
	}
	if result.Error != nil {
		return nil, result.Error
	}
	return &result, nil
}

// Repeating the request with the same key, as after a lost response, creates nothing twice.
func create[Data any](path string, body map[string]any, idempotencyKey string) (data Data, err error) {
	result, err := call[Data]("POST", path, body, idempotencyKey)
	if err != nil {
		return data, err
	}
	return result.Data, nil
}

// Calls visit for all rows of a list, page by page.
func every[Row any](path string, visit func(Row)) error {
	for cursor := new(string); cursor != nil; {
		query := url.Values{"limit": {"100"}, "cursor": {*cursor}}
		page, err := call[[]Row]("GET", path+"?"+query.Encode(), nil, "")
		if err != nil {
			return err
		}
		for _, row := range page.Data {
			visit(row)
		}
		cursor = page.Pagination.NextCursor
	}
	return nil
}

func run() error {
	campaign, err := create[campaign]("/campaigns", map[string]any{
		"name":              "Quick start",
		"commission_type":   "percentage",
		"commission_amount": 30,
		"website_url":       "https://example.com",
	}, "quick-start-campaign")
	if err != nil {
		return err
	}
	affiliate, err := create[affiliate]("/affiliates", map[string]any{
		"email": "kim@example.com", "first_name": "Kim", "last_name": "Poe", "campaign_id": campaign.ID,
	}, "quick-start-affiliate")
	if err != nil {
		return err
	}
	fmt.Printf("%s shares %s\n", affiliate.Email, affiliate.Links[0].URL)
	referral, err := create[referral]("/referrals", map[string]any{
		"affiliate_id": affiliate.ID, "email": "buyer@example.com",
	}, "quick-start-referral")
	if err != nil {
		return err
	}
	_, err = create[commission]("/commissions", map[string]any{
		"referral_id":          referral.ID,
		"revenue_amount":       100,
		"commission_amount":    30,
		"processor_payment_id": "order-1001",
	}, "order-1001")
	if err != nil {
		return err
	}
	return every("/commissions", func(one commission) {
		fmt.Println(one.PaymentID, one.Amount, one.Currency)
	})
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
