export const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="#2855c5" />
    <circle cx="16" cy="16" r="10" fill="none" stroke="#fff" strokeWidth="2" />
    <path d="M13.5 11.5v9l7-4.500z" fill="#fff" />
  </svg>
)
