{{- define "findersfee.container" }}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .Values.existingSecret }} }
env:
  # From the file: the environment of a process is easier to read.
  - { name: SECRETS_KEY, value: "" }
  - { name: SECRETS_KEY_FILE, value: /run/secrets/findersfee/SECRETS_KEY }
  - { name: CONTINUITY_DIR, value: /var/lib/findersfee }
  - { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
  - { name: TRUST_PROXY, value: {{ .Values.trustProxy | quote }} }
  - { name: SHUTDOWN_DELAY_SECONDS, value: {{ .Values.shutdownDelaySeconds | quote }} }
  {{- range $name, $value := .Values.env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
volumeMounts:
  - { name: secrets-key, mountPath: /run/secrets/findersfee, readOnly: true }
  - { name: continuity, mountPath: /var/lib/findersfee }
{{- end }}

{{- define "findersfee.pod" }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets-key
    secret:
      secretName: {{ .Values.existingSecret }}
      # 0440
      defaultMode: 288
      items: [{ key: SECRETS_KEY, path: SECRETS_KEY }]
  - name: continuity
    {{- if .Values.continuity.existingClaim }}
    persistentVolumeClaim: { claimName: {{ .Values.continuity.existingClaim }} }
    {{- end }}
    {{- if not .Values.continuity.existingClaim }}
    emptyDir: { sizeLimit: 512Mi }
    {{- end }}
{{- end }}
