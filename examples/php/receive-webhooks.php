<?php
// Receives webhooks: php -S 127.0.0.1:4242 receive-webhooks.php
// WEBHOOK_SECRET is the endpoint's secret, or several separated by spaces.

declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;
const MAX_BYTES = 1024 * 1024;

/** Decodes a secret: base64 after its prefix. */
function keyOf(string $secret): string
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), strict: true);
    if ($key === false || strlen($key) < 24) {
        throw new LogicException('WEBHOOK_SECRET is incomplete; copy it from the endpoint.');
    }
    return $key;
}

/**
 * Returns the event of a delivery, or throws UnexpectedValueException. `$body` is the bytes as they came.
 *
 * @param array{id: string, timestamp: string, signature: string} $headers
 * @param list<string> $keys
 */
function verify(string $body, array $headers, array $keys): array
{
    ['id' => $id, 'timestamp' => $timestamp, 'signature' => $given] = $headers;
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        throw new UnexpectedValueException('webhook-timestamp is invalid');
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new UnexpectedValueException('webhook-timestamp is more than 5 minutes off');
    }
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, binary: true));
        // During a rotation, the header has signatures with the old and the new secret.
        foreach (explode(' ', $given) as $one) {
            if (hash_equals($expected, $one)) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new UnexpectedValueException('no signature in webhook-signature matches');
}

// Over the raw bytes: parsed and serialized again they would have another signature.
$body = file_get_contents('php://input', length: MAX_BYTES);
$keys = array_map(keyOf(...), explode(' ', (string) getenv('WEBHOOK_SECRET')));
try {
    $event = verify($body, [
        'id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
        'timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
        'signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    ], $keys);
} catch (UnexpectedValueException $error) {
    http_response_code(400);
    exit($error->getMessage());
}
// An event may arrive more than once: store each webhook-id under a unique key, in the transaction of your own
// change, and skip known ones. Do slow work after responding.
error_log("{$_SERVER['HTTP_WEBHOOK_ID']} {$event['type']} {$event['data']['id']}");
http_response_code(204);
