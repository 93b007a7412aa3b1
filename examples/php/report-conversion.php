<?php
// Reports a conversion of a customer, such as a booked demo: report-conversion.php KIND EMAIL
declare(strict_types=1);

function report_conversion(string $kind, string $email): array
{
    // The same event has the same key, so a retry is safe. Later, a repetition returns the first report.
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: Bearer ' . getenv('FINDERSFEE_API_KEY'),
            'Content-Type: application/json',
            "Idempotency-Key: $kind-$email",
        ],
        'content' => json_encode(['kind' => $kind, 'email' => $email], JSON_THROW_ON_ERROR),
        'ignore_errors' => true,
        'timeout' => 30,
    ]]);
    $text = file_get_contents(rtrim(getenv('FINDERSFEE_URL'), '/') . '/v1/conversions', false, $context);
    $answer = json_decode((string) $text, true, 512, JSON_THROW_ON_ERROR);
    if (!$answer['success']) {
        throw new RuntimeException("{$answer['error']['code']}: {$answer['error']['message']}");
    }
    return $answer['data'];
}

[, $kind, $email] = $argv;
echo report_conversion($kind, $email)['outcome'], "\n"; // commission, or why it earns nothing
