<?php
// Records an affiliate's commission, starting with the campaign, and lists all commissions.

declare(strict_types=1);

/** An error from the service: `$apiCode` is for programs, the message for people, the request id for support. */
final class FindersfeeError extends RuntimeException
{
    public readonly string $apiCode;
    /** @var array<string, string> */
    public readonly array $details;

    public function __construct(array $error)
    {
        $issues = array_map(fn (array $issue): string => "\n  {$issue['path']}: {$issue['message']}", $error['issues'] ?? []);
        parent::__construct("{$error['code']}: {$error['message']} ({$error['request_id']})" . implode('', $issues));
        $this->apiCode = $error['code'];
        $this->details = $error['details'] ?? [];
    }
}

/** Returns the response, or throws FindersfeeError, or RuntimeException without a response. */
function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $api = rtrim((string) getenv('FINDERSFEE_URL'), '/') . '/v1';
    $headers = ['Authorization: Bearer ' . getenv('FINDERSFEE_API_KEY'), 'Content-Type: application/json'];
    if ($idempotencyKey !== null) {
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $http = ['method' => $method, 'header' => $headers, 'timeout' => 30, 'ignore_errors' => true];
    if ($body !== null) {
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    $text = @file_get_contents($api . $path, false, stream_context_create(['http' => $http]));
    if ($text === false) {
        throw new RuntimeException(error_get_last()['message'] ?? "No response from $api.");
    }
    $answer = json_decode($text, true);
    if (!is_array($answer)) {
        throw new RuntimeException("$api did not return JSON; check FINDERSFEE_URL.");
    }
    return $answer['success'] ? $answer : throw new FindersfeeError($answer['error']);
}

/** Repeating the request with the same key, as after a lost response, creates nothing twice. */
function create(string $path, array $body, string $idempotencyKey): array
{
    return call('POST', $path, $body, $idempotencyKey)['data'];
}

/** Yields all rows of a list, page by page. */
function every(string $path): Generator
{
    $cursor = '';
    while ($cursor !== null) {
        $page = call('GET', $path . '?' . http_build_query(['limit' => 100, 'cursor' => $cursor]));
        yield from $page['data'];
        $cursor = $page['pagination']['next_cursor'];
    }
}

try {
    $campaign = create('/campaigns', [
        'name' => 'Quick start',
        'commission_type' => 'percentage',
        'commission_amount' => 30,
        'website_url' => 'https://example.com',
    ], idempotencyKey: 'quick-start-campaign');
    $affiliate = create('/affiliates', [
        'email' => 'kim@example.com',
        'first_name' => 'Kim',
        'last_name' => 'Poe',
        'campaign_id' => $campaign['id'],
    ], idempotencyKey: 'quick-start-affiliate');
    echo "{$affiliate['email']} shares {$affiliate['links'][0]['url']}\n";
    $referral = create('/referrals', [
        'affiliate_id' => $affiliate['id'],
        'email' => 'buyer@example.com',
    ], idempotencyKey: 'quick-start-referral');
    create('/commissions', [
        'referral_id' => $referral['id'],
        'revenue_amount' => 100,
        'commission_amount' => 30,
        'processor_payment_id' => 'order-1001',
    ], idempotencyKey: 'order-1001');
    foreach (every('/commissions') as $commission) {
        echo "{$commission['processor_payment_id']} {$commission['commission_amount']} {$commission['currency']}\n";
    }
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
