"""Groups that stay safe from somebody who knows the statistics: r-robust bucketization."""
